import type { OpenAPIObject } from '@nestjs/swagger';
import { METHODS } from './shared-components.js';

/** Extension of an operation: permissions of an access key, of which it needs one. */
export const X_PERMISSIONS = 'x-permissions';

/** Names the permission in the description. Where there are several, the route's own says when it needs which. */
export function describePermissions({ paths }: OpenAPIObject): void {
  for (const operation of Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []))) {
    const { [X_PERMISSIONS]: permissions = [] } = operation as { [X_PERMISSIONS]?: readonly string[] };
    if (permissions.length !== 1) continue;
    operation.description = `${operation.description ?? ''} Needs the permission \`${permissions[0]}\`.`.trimStart();
  }
}
