import { PushEvents } from '../../../functions/push/topics.ts';
import { route } from '../../../lib/contract/route.ts';
import { sendTo } from '../../../lib/contract/uses.ts';
import { minimal } from './example.ts';

// @ts-expect-error TS2739: Type 'Topic<"PushEvents">' is missing the following properties from type 'Queue'
export const sending = route({ ...minimal, uses: [sendTo(PushEvents)] });
