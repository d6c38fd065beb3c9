/** Names that follow from names. */

/** The bundle's and the function's name: `revokeConsent` → `revoke-consent`. */
export function functionName(operationId: string): string {
  return operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A logical id, which may hold letters and digits alone: `revoke-consent` → `RevokeConsent`. */
export function logicalId(...names: string[]): string {
  return names
    .flatMap((name) => name.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** A resource path's logical id: `/users/{userId}/consent` → `UsersByUserIdConsent`, `/` → `Root`, `/{proxy+}` → `Rest`. */
export function pathId(path: string): string {
  if (path === '/') return 'Root';
  if (path === '/{proxy+}') return 'Rest';
  return logicalId(...path.split('/').map((segment) => segment.replace(/^\{(.*)\}$/, 'by-$1')));
}
