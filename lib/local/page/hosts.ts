import { isIP } from 'node:net';

/**
 * Whether a request's Host header is this machine's own. A foreign page can let its own name resolve to 127.0.0.1 and
 * would read answers here as its own (DNS rebinding); its name is still in the Host header.
 * @param bound where the gateway listens. If it listens on every address, every IP address is accepted, but no name:
 * DNS rebinding needs a name.
 */
export function isOwnHost(header: string | undefined, bound: string): boolean {
  const name = hostname(header);
  if (name === null) return false;
  const everywhere = ['0.0.0.0', '::'].includes(bound);
  return ['localhost', '127.0.0.1', '::1', bound.toLowerCase()].includes(name) || (everywhere && isIP(name) !== 0);
}

function hostname(header: string | undefined): string | null {
  const parts = /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(header ?? '');
  return (parts?.[1] ?? parts?.[2])?.toLowerCase() ?? null;
}
