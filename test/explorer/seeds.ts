import { seedCatalogues } from '../../functions/agreements/seed/seed.ts';
import type { SetUp } from '../../lib/explore/scenario.ts';

/** The seeds of the domains, in the explorer's tables. */

export async function catalogues({ client, tables, now }: SetUp): Promise<void> {
  const place = { tables, s3: client('s3'), bucket: 'AgreementContents' };
  await seedCatalogues(place, undefined, new Date(now()));
}
