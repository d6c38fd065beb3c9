import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { isJsonObject, parseJson } from '../json.ts';
import type { EventBusModel } from '../model.ts';
import { AwsFailure } from '../service/failure.ts';
import type { JsonInput } from '../service/json-service.ts';

/** EventBridge's PutEvents: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */

/** An event as a rule's target receives it. */
export type BusEvent = {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601, whole seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
};

/** The bus is not in the event itself. */
export type PutEvent = { readonly bus: string; readonly event: BusEvent };

const Entry = z.object({
  /** Seconds since 1970. */
  Time: z.nullish(z.number()),
  Source: z.nullish(z.string()),
  DetailType: z.nullish(z.string()),
  Detail: z.nullish(z.string()),
  Resources: z.nullish(z.array(z.string())),
  EventBusName: z.nullish(z.string()),
});
type Entry = z.infer<typeof Entry>;

const mostEntries = 10;
/** The limit for all entries together. */
const mostBytes = 1024 * 1024;

/** @throws AwsFailure `ValidationException` if the whole request is refused */
export function entriesOf({ Entries }: JsonInput): Entry[] {
  const { data: entries } = z.array(Entry).safeParse(Entries);
  if (!entries) throw new AwsFailure('SerializationException', 'Unexpected value type in payload');
  if (entries.length === 0 || entries.length > mostEntries) {
    const bound = entries.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${mostEntries}`;
    throw new AwsFailure(
      'ValidationException',
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length ${bound}`,
    );
  }
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > mostBytes) {
    throw new AwsFailure('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
  return entries;
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
function sizeOf({ Time, Source, DetailType, Detail, Resources }: Entry): number {
  const texts = [Source, DetailType, Detail, ...(Resources ?? [])];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), Time == null ? 0 : 14);
}

/** The ARN of the bus that an entry names, by name or by ARN. An unknown bus gets the ARN that it would have. */
export function busArnOf({ EventBusName }: Entry, buses: readonly EventBusModel[]): string {
  const name = EventBusName ?? 'default';
  if (name.startsWith('arn:')) return name;
  const own = buses.find((bus) => bus.name === name);
  return own?.arn ?? `${buses[0]?.arn.replace(/\/.*$/, '')}/${name}`;
}

export type Refusal = { readonly ErrorCode: string; readonly ErrorMessage: string };

/** @returns the event, or the reason why EventBridge refuses the entry */
export function eventOf(entry: Entry, busArn: string, now: number): BusEvent | Refusal {
  for (const name of ['Source', 'DetailType', 'Detail'] as const) {
    if (!entry[name]) return refusal(name, `${name} is a required argument.`);
  }
  const { Source: source = '', DetailType: detailType = '', Detail, Time, Resources } = entry;
  if (source?.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  const detail = parseJson(Detail ?? '');
  if (!isJsonObject(detail)) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  const [, , , region = '', account = ''] = busArn.split(':');
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': detailType ?? '',
    source: source ?? '',
    account,
    time: wholeSeconds(Time == null ? now : Time * 1000),
    region,
    resources: Resources ?? [],
    detail,
  };
}

/** As EventBridge writes a time: `2026-01-31T08:15:00Z`. */
export function wholeSeconds(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

function refusal(name: string, reason: string): Refusal {
  return { ErrorCode: 'InvalidArgument', ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}` };
}
