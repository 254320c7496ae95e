/**
 * Makes every document that is generated from the code, in one process, which loads the application once. With
 * `--check` each is compared instead, and the process fails where one is not current.
 */
for (const document of ['openapi', 'events', 'errors-page', 'client-types', 'postman', 'module-map']) {
  await import(`./${document}.mjs`);
}
