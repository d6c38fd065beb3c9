/** What is kept of an IP address: enough to recognize a place, too little to name a connection. Pure. */

/** The first three bytes of an IPv4 address (/24), the first three groups of an IPv6 one (/48); null for what is neither. */
export function networkOf(address: string): string | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  const bytes = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(mapped)?.slice(1).map(Number);
  if (bytes) return bytes.every((byte) => byte < 256) ? `${bytes.slice(0, 3).join('.')}.0/24` : null;
  const groups = groupsOf(mapped);
  if (!groups) return null;
  const [one, two, three] = groups.map((group) => group.toString(16));
  return `${one}:${two}:${three}::/48`;
}

/** The eight numbers of an IPv6 address. The last two can be written as an IPv4 address, which no network needs. */
function groupsOf(address: string): number[] | null {
  const halves = address.replace(/(\d+\.){3}\d+$/, '0:0').split('::');
  const [head = [], tail] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (halves.length > 2 || (tail ? missing < 1 : missing !== 0)) return null;
  const groups = [...head, ...Array.from({ length: tail ? missing : 0 }, () => '0'), ...(tail ?? [])];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null;
}
