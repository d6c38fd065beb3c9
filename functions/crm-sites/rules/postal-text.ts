/** Letters and digits: `SW1A 1AA` and `sw1a1aa` are one. Pure. */
export function postalText(postalCode: string): string {
  return postalCode
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 32);
}
