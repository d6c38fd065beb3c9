import { portOf } from './settings.ts';

export async function run(options: Readonly<Record<string, string>>): Promise<void> {
  const origin = `http://${process.env.HOST ?? '127.0.0.1'}:${portOf(process.env)}`;
  const query = new URLSearchParams(options);
  const answer = await fetch(`${origin}/_local/token?${query}`).catch(() => {
    throw new Error(`no local stage answers at ${origin}; start it (npm start) or set PORT`);
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  console.log(text);
}
