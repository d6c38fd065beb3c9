export { eraseExportContents } from './stores/notices.ts';
