/** How many settings there can be, and how long they can be together: as an answer to a phone is made for. */

const mostSettings = 100;
const mostBytes = 500_000;

export type Stored = { readonly settingId: string; readonly definition: string };

/**
 * Whether there is room for a setting beside the others, or in the place of what it was. What becomes no longer always has room: a
 * kill switch is pulled, however full it is.
 */
export function hasRoom(stored: readonly Stored[], { settingId, definition }: Stored): boolean {
  const sizes = new Map(stored.map((each) => [each.settingId, Buffer.byteLength(each.definition)]));
  const [before, size] = [sizes.get(settingId), Buffer.byteLength(definition)];
  if (before !== undefined && size <= before) return true;
  sizes.set(settingId, size);
  const bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
  return sizes.size <= mostSettings && bytes <= mostBytes;
}
