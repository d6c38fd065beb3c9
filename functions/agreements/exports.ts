/** The stores that other domains may import. Every domain may import this one's rules. */

export {
  catalogueMs,
  findAgreement,
  hasAgreement,
  readAgreement,
  readCatalogue,
  readVersion,
  readVersionName,
} from './stores/catalogue-reader.ts';
