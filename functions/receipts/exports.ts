export { writeConsentPage } from './stores/consent-page.ts';
