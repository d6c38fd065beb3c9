/**
 * Keeps what never changes for as long as the function lives, `most` values of a client at a time.
 *
 * By client, as a process (a test worker, a command) may see several databases that have tables of one name.
 * What publishes must not ask it: whether something is there is decided by the table.
 */
export function keep<Value>(most: number) {
  const byClient = new WeakMap<object, Map<string, Value>>();
  return async (client: object, key: string, read: () => Promise<Value | null>): Promise<Value | null> => {
    const kept = byClient.get(client) ?? new Map<string, Value>();
    byClient.set(client, kept);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = await read();
    if (found === null) return null;
    if (kept.size >= most) kept.clear();
    kept.set(key, found);
    return found;
  };
}
