const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as HTML shows it, between tags and in quoted attributes. */
export function escaped(text: unknown): string {
  return String(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
