import { client } from '../../../lib/contract/client.ts';
import { listThings } from './example.ts';

const api = client({ baseUrl: 'http://localhost:3000/de/v1', routes: { listThings } });
// @ts-expect-error TS2353: 'body' does not exist
export const answer = api.listThings({ body: { name: 'one' } });
