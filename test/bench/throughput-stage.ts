import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';

/** The local stage in a process of its own, as `npm start` runs it, without the rate limit; ends with its parent. */

export type Stage = {
  readonly port: number;
  readonly dynamo: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } };
  readonly tables: Readonly<Record<string, string>>;
  readonly issuerUrl: string;
  /** Of as many patients as the first argument says. */
  readonly tokens: readonly string[];
};

const stage = await startStage({ rateLimit: false, seed, onLog: () => undefined });
const users = Array.from({ length: Number(process.argv[2]) }, (_, index) => `bench-${index}`);
const tokens = await Promise.all(
  users.map((user) => stage.issuer.token({ application: 'sleepcare', user, roles: ['patient'] })),
);
const { endpoint, region, credentials } = stage.data;
const used = ['Agreements', 'ConsentRecords', 'ConsentStates', 'AppVersionPolicies'];
process.on('disconnect', () => void stage.close().then(() => process.exit(0)));
process.send?.({
  port: stage.port,
  dynamo: { endpoint, region, credentials },
  tables: Object.fromEntries(used.map((name) => [name, stage.data.tables(name)])),
  issuerUrl: stage.issuer.url,
  tokens,
});
