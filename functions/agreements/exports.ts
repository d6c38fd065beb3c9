/** What other domains may import of this one's stores; its rules are anybody's. */

export { agreementKey, namesPartition } from './stores/catalogue-keys.ts';
export {
  catalogueMs,
  findAgreement,
  hasAgreement,
  readAgreement,
  readCatalogue,
  readVersion,
  readVersionName,
} from './stores/catalogue-reader.ts';
