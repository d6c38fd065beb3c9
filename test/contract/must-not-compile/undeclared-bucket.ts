import { AgreementContents } from '../../../functions/agreements/buckets.ts';
import { readFrom } from '../../../lib/contract/bucket-uses.ts';
import { route } from '../../../lib/contract/route.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { minimal } from './example.ts';

const reading = route({ ...minimal, uses: [readFrom(AgreementContents)] });

// @ts-expect-error TS2339: Property 'Evidence' does not exist
export const handler = serve(reading)(async ({ buckets }) => ({ name: buckets.AgreementContents + buckets.Evidence }));
