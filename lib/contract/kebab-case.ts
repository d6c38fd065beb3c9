/** `revokeConsent` → `revoke-consent`: a handler's file and a function are named as their declaration. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
