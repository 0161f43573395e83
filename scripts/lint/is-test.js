/** Tests, their fixtures and benchmarks, to which rules about the product's code do not apply. */
export const isTest = (path) => /\.(test|e2e|bench)\.tsx?$|(^|\/)(test|testing|tests|e2e|bench)\//.test(path)
