/**
 * Keeps values that never change for as long as the function lives, at most `most` values for each client.
 *
 * By client, since a process (a test worker, a command) may use several databases with tables of the same names.
 * Publishing must not read from it: only the table decides whether a version exists.
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
