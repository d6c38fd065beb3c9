import { parseArgs } from 'node:util';
import { portOf } from './settings.ts';

/** `npm run token -- --user U --roles patient --application sleepcare`: prints an access token for the running local stage. */

try {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      roles: { type: 'string' },
      application: { type: 'string' },
      client: { type: 'string' },
      expiresIn: { type: 'string' },
    },
  });
  const origin = `http://${process.env.HOST ?? '127.0.0.1'}:${portOf(process.env)}`;
  const query = new URLSearchParams(Object.entries(values));
  const answer = await fetch(`${origin}/_local/token?${query}`).catch(() => {
    throw new Error(`no local stage answers at ${origin}; start it (npm start) or set PORT`);
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  console.log(text);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
