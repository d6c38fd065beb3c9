import { decode } from '../../../lib/local/sns/delivery.ts';
import type { Publication } from '../../../lib/local/sns/publication.ts';
import { attributes } from './client.ts';

/** Deliveries for the tests of what is pure. */

export const publishedAt = Date.parse('2026-03-01T12:00:00.400Z');

type Given = Partial<Omit<Publication, 'attributes'>> & { attributes?: Record<string, string> };

export function decoded({ attributes: texts = {}, ...given }: Given) {
  const plain = {
    platform: 'APNS',
    token: 'aa',
    message: 'Hello',
    structure: undefined,
    publishedAt,
  } as const;
  return decode({ ...plain, attributes: reservedOf(attributes(texts)), ...given });
}

export function reservedOf(values: ReturnType<typeof attributes>): Publication['attributes'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, { StringValue = '' }]) => [name, { DataType: 'String', StringValue }]),
  );
}

export const json = (platform: string, value: unknown) => ({
  structure: 'json',
  message: JSON.stringify({ [platform]: typeof value === 'string' ? value : JSON.stringify(value) }),
});
export const apns = (aps: unknown, texts: Record<string, string> = {}) =>
  decoded({ ...json('APNS', { aps }), attributes: texts });
export const fcm = (message: unknown, texts: Record<string, string> = {}) =>
  decoded({ platform: 'GCM', token: 't', ...json('GCM', { fcmV1Message: { message } }), attributes: texts });
