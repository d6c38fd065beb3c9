import type { Socket } from 'node:net';

export type Target = { readonly path: string; readonly query: string };

/** The path and query of a request target, or null if it has no path (`*`, an authority). */
export function parseTarget(target: string): Target | null {
  let rest = target;
  if (!rest.startsWith('/')) {
    // absolute-form: every server must accept it (RFC 9112, 3.2.2).
    const origin = /^https?:\/\/[^/?#]*/i.exec(rest);
    if (!origin) return null;
    rest = rest.slice(origin[0].length);
    if (!rest.startsWith('/')) rest = `/${rest}`;
  }
  const hash = rest.indexOf('#');
  if (hash >= 0) rest = rest.slice(0, hash);
  const mark = rest.indexOf('?');
  return mark < 0 ? { path: rest, query: '' } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) };
}

/** The stage, and the path within it with its leading slash. */
export function splitStage(path: string): { stage: string; rest: string } {
  const slash = path.indexOf('/', 1);
  return slash < 0 ? { stage: path.slice(1), rest: '/' } : { stage: path.slice(1, slash), rest: path.slice(slash) };
}

/** The connection's address, as WAF counts it and `identity.sourceIp` shows it; IPv4 in its own form. */
export function sourceAddress(socket: Socket): string {
  const address = socket.remoteAddress ?? '';
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
