import { randomBytes, randomUUID } from 'node:crypto';

let pool = Buffer.alloc(0);
let offset = 0;

/** As API Gateway's extended request id looks (`JKJaXmPLvHcESHA=`); unique, and never the caller's. */
export function newExtendedRequestId(): string {
  if (offset + 11 > pool.length) {
    pool = randomBytes(11 * 256);
    offset = 0;
  }
  const id = pool.toString('base64url', offset, offset + 11);
  offset += 11;
  return `${id}=`;
}

export const newRequestId: () => string = () => randomUUID();

/**
 * `x-amzn-requestid`: "Clients can override this request ID" (`$context` variables). Only characters that are harmless
 * in a log.
 */
export function requestIdFrom(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:=-]{1,128}$/.test(header) ? header : null;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
let lastSecond = -1;
let lastText = '';

/** `requestTime`, in the form of the Common Log Format: `09/Apr/2015:12:34:56 +0000`. */
export function logTime(epoch: number): string {
  const second = Math.floor(epoch / 1000);
  if (second !== lastSecond) {
    const date = new Date(second * 1000);
    const two = (value: number) => String(value).padStart(2, '0');
    const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
    lastText = `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
    lastSecond = second;
  }
  return lastText;
}
