/** Random tests of fast-check repeat the cases of `APP_TEST_SEED`, where it is given. */

const { APP_TEST_SEED: seed } = process.env

if (seed !== undefined) {
  const fc = await import('fast-check')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) })
}

export {}
