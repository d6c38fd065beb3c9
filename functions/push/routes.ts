import * as z from 'zod/mini';
import { Id, manyLines, oneLine, wellFormed } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { pushPlatforms, read } from '../../lib/contract/uses.ts';
import { Devices } from '../devices/tables.ts';
import { testPushes } from './permissions.ts';

/** In UTF-16 units. Even if JSON escapes each of them by six bytes, a payload stays below the 4 KB of APNs and FCM. */
const textLimits = { title: 100, body: 400 } as const;

/** The input of SNS's `Publish`, as the SDK and the command line take it. */
export const PublishAttribute = z.object({ DataType: z.literal('String'), StringValue: z.string() });

export const PublishInput = z.object({
  TargetArn: z.string(),
  MessageStructure: z.literal('json'),
  Message: z.string(),
  MessageAttributes: z.optional(z.record(z.string(), PublishAttribute)),
});

export const Delivery = z.object({
  deviceId: Id,
  platform: z.enum(['ios', 'android']),
  status: z.enum(['sent', 'skipped', 'failed', 'preview']),
  /** Of a push that SNS took. */
  snsMessageId: z.nullable(z.string()),
  /** Why it was skipped or failed. */
  reason: z.nullable(
    z.enum([
      'DEVICE_DISABLED',
      'DEVICE_UNCONNECTED',
      'ENDPOINT_DISABLED',
      'ENDPOINT_REJECTED',
      'REQUEST_REJECTED',
      'THROTTLED',
      'UNAVAILABLE',
    ]),
  ),
  /** What was, or would be, published; null for a device that is skipped. */
  request: z.nullable(PublishInput),
});

export const sendTestPush = route({
  method: 'POST',
  path: '/dev/push/test/{messageType}',
  summary: "Sends a test push to each of a user's devices",
  description:
    '`agent_board` is an ordinary push, `badge_sync` a silent one. The payloads are the same as those of real ' +
    'pushes. The default of `userId` is the caller, and that of `badge` is 1. `title` and `body` replace the ' +
    'generic texts of an ordinary push. With `dryRun` nothing is sent, and `request` is the exact input of the ' +
    'SNS `Publish`. A user without devices gets an empty list. A push that SNS accepted is `sent`; whether it ' +
    'arrives depends on Apple and Google.',
  applications: ['sleepcare'],
  environments: ['dev'],
  auth: testPushes,
  uses: [read(Devices), pushPlatforms('publish')],
  params: z.object({ messageType: z.enum(['agent_board', 'badge_sync']) }),
  body: z.optional(
    z.object({
      userId: z.optional(Id),
      badge: z.optional(z.int().check(z.minimum(0), z.maximum(99_999))),
      title: z.optional(z.string().check(z.minLength(1), z.maxLength(textLimits.title), wellFormed, oneLine)),
      body: z.optional(z.string().check(z.minLength(1), z.maxLength(textLimits.body), wellFormed, manyLines)),
      dryRun: z.optional(z.boolean()),
    }),
  ),
  response: z.object({ messageType: z.enum(['agent_board', 'badge_sync']), deliveries: z.array(Delivery) }),
  errors: [],
});
