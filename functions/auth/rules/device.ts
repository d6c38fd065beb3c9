/** What a client says of the device it runs on. Nothing of it is trusted: it is shown to the account's owner. */
export type SaidDevice = {
  readonly deviceName?: string | undefined;
  readonly appVersion?: string | undefined;
  readonly userAgent?: string | undefined;
};

/** One line, at most 100 characters. */
export function nameOf({ deviceName, userAgent }: SaidDevice): string | null {
  const name = (deviceName ?? userAgent ?? '')
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 100);
  return name === '' ? null : name;
}
