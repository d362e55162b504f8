import { randomBytes } from 'node:crypto';

/** Names the run, so that the databases its files leave to others can be dropped when it is over. */
export default function nameRun() {
  process.env.FEEDMESH_TEST_RUN = randomBytes(4).toString('hex');
}
