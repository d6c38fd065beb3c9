import { client } from '../../../lib/contract/client.ts';
import { rename } from './example.ts';

const api = client({ baseUrl: 'http://localhost:3000/de/v1', routes: { rename } });
const answer = await api.rename({ params: { thingId: 'one' }, body: { name: 'two' } });
// @ts-expect-error TS2339: Property 'body' does not exist
export const { body } = answer;
