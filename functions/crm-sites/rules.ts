export type { SiteHours } from './rules/opening-hours.ts';
export { mostSites } from './rules/site.ts';
