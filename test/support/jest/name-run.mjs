import { randomBytes } from 'node:crypto';

/** Says what the names of databases begin with that the files of this run leave to each other. */
export default function nameRun() {
  process.env.FEEDMESH_TEST_DATABASES = `feedmesh-test-${randomBytes(4).toString('hex')}-`;
}
