import { AgreementContents } from '../../../functions/agreements/buckets.ts';
import { consumer } from '../../../lib/contract/consumer.ts';

const common = { summary: 's', application: 'sleepcare', uses: [], impact: 'i', batchSize: 1, concurrency: 2 } as const;
// @ts-expect-error TS2322: is not assignable to type 'Queue | undefined'
export const consuming = consumer({ ...common, queue: AgreementContents });
