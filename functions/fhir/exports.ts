export { writeFhirFile } from './stores/fhir-file.ts';
