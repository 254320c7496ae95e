# Built in one stage, run in another that holds no compiler and no development packages.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
COPY console/package.json ./console/
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/pg-pipeline/package.json packages/pg-pipeline/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The volume of DATA_DIR takes its owner from here: what development mode makes, and checkpoints.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
COPY --from=build /app/console/dist ./console/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/health/live').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# Node itself is the process that gets the signals. The heap follows the memory of the container.
CMD ["node", "--enable-source-maps", "--max-old-space-size-percentage=50", "--max-semi-space-size=32", "--heap-growing-percent=60", "--no-allocation-site-pretenuring", "--v8-pool-size=1", "dist/main.js"]
