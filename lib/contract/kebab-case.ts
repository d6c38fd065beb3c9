/** `revokeConsent` → `revoke-consent`: the name of a handler's file and of a function, derived from the declaration's name. */
export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
