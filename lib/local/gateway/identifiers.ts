import { randomBytes } from 'node:crypto';

/** As API Gateway's extended request id looks (`JKJaXmPLvHcESHA=`); unique, and never the caller's. */
export function newExtendedRequestId(): string {
  return `${randomBytes(11).toString('base64url')}=`;
}

/**
 * `x-amzn-requestid`: "Clients can override this request ID" (`$context` variables). Only characters that are harmless
 * in a log.
 */
export function requestIdFrom(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\w.:=-]{1,128}$/.test(header) ? header : null;
}

let lastSecond = -1;
let lastText = '';

/** `requestTime`, in the form of the Common Log Format: `09/Apr/2015:12:34:56 +0000`. */
export function logTime(epoch: number): string {
  const second = Math.floor(epoch / 1000);
  if (second !== lastSecond) {
    // `Thu, 09 Apr 2015 12:34:56 GMT`
    const [, day, month, year, time] = new Date(second * 1000).toUTCString().split(' ');
    lastText = `${day}/${month}/${year}:${time} +0000`;
    lastSecond = second;
  }
  return lastText;
}
