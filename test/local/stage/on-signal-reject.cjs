// Preloaded by a test: a defect that nobody catches.
process.on('SIGUSR2', () => {
  Promise.reject(new Error('provoked by the test'));
});
