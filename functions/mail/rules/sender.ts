/**
 * A From header with a display name: `"Sleepcare" <no-reply@example.com>`. SES takes it in ASCII only, so another name is an encoded
 * word (RFC 2047), which holds 45 bytes.
 */
export function fromHeader(name: string, address: string): string {
  const isAscii = /^[ -~]*$/.test(name);
  const shown = isAscii ? `"${name.replace(/["\\]/g, '\\$&')}"` : `=?UTF-8?B?${Buffer.from(name).toString('base64')}?=`;
  return `${shown} <${address}>`;
}
