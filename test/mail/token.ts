/** @returns the token of the link in the text of an invitation @throws an Error if there is none */
export function tokenIn(text = ''): string {
  const token = /#([0-9a-f]{8}\.[\w-]{43})$/m.exec(text)?.[1];
  if (token === undefined) throw new Error('the mail has no link');
  return token;
}

/** @returns the token of the link with which the reader says "this was not me" @throws an Error if there is none */
export function secureTokenIn(text = ''): string {
  const token = /\/not-me#([0-9a-f]{8}\.[\w-]+)$/m.exec(text)?.[1];
  if (token === undefined) throw new Error('the mail has no link');
  return token;
}
