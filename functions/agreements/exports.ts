/** What other domains may import of this one's stores; its rules are anybody's. */

export {
  catalogueMs,
  findAgreement,
  hasAgreement,
  readAgreement,
  readCatalogue,
  readVersion,
  readVersionName,
} from './stores/catalogue-reader.ts';
