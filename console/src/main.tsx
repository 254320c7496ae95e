import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { pauseWhenIdle } from './app/idle.js';
import { createQueryClient } from './app/query-client.js';
import { Router } from './app/router.js';
import { followOtherTabs } from './app/session-key.js';
import { SessionGate } from './app/session.js';
import { language } from './i18n/index.js';
import { Toasts } from './ui/toasts.js';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/panels.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/values.css';
import './styles/states.css';
import './styles/overlays.css';
import './styles/figures.css';
import './styles/pages.css';

document.documentElement.lang = language;
pauseWhenIdle();

const client = createQueryClient();
followOtherTabs(client);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {/* The content-security policy allows no style elements; ours are all in files. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={client}>
        <Toast.Provider>
          <BrowserRouter basename="/console">
            <SessionGate>
              <Router />
            </SessionGate>
          </BrowserRouter>
          <Toasts />
        </Toast.Provider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
