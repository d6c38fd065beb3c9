import { client } from '../../../lib/contract/client.ts';
import { rename } from './example.ts';

const api = client({ baseUrl: 'http://localhost:3000/de/v1', routes: { rename } });
// @ts-expect-error TS2345: Property 'params' is missing
export const answer = api.rename({ body: { name: 'one' } });
