export {
  type Agreement,
  type AgreementWithVersions,
  activeVersion,
  type CataloguePosition,
  inCatalogueOrder,
  isReconsentRequired,
  type LocalisedContent,
  statusOf,
  type Version,
} from './rules/catalogue.ts';
export { agreementKey, namesPartition } from './rules/catalogue-keys.ts';
export { checksumOf } from './rules/content.ts';
export { markdownFaults } from './rules/markdown.ts';
export { utf8Of } from './rules/utf8.ts';
