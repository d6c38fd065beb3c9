import { countUsers } from '../../../functions/overview/consumers.ts';
import { consumeStream } from '../../../lib/runtime/consume.ts';

// @ts-expect-error TS2554: Expected 2 arguments, but got 1
export const handler = consumeStream(countUsers);
