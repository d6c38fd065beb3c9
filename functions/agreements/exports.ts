/** The stores that other domains may import. Other domains may also import this domain's rules. */

export {
  catalogueMs,
  findAgreement,
  hasAgreement,
  readAgreement,
  readCatalogue,
  readUnversioned,
  readVersion,
  readVersionName,
} from './stores/catalogue-reader.ts';
