import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  build: {
    // Browsers that know light-dark() and nested CSS: nothing needs to be rewritten for older ones.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The content-security policy allows no data: addresses; every asset stays a file of its own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  server: {
    // `npx vite` beside a service on its default port, for work on the console itself.
    proxy: { '^/(?!console/)': 'http://127.0.0.1:3000' },
  },
});
