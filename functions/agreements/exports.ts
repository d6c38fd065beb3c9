/** What other domains may import of this one's stores; its rules are anybody's. */

export { catalogueMs, readAgreement, readCatalogue, readVersionName } from './stores/application-catalogue.ts';
export { agreementKey, namesPartition, versionKey } from './stores/catalogue-keys.ts';
export { type CatalogueRow, catalogueOf, rowsOfAgreement } from './stores/catalogue-rows.ts';
