// HEALTHCHECK of the image: 0 if the service in this container can work, 1 if not. The gateway has its health
// pages on PORT, the other services on HEALTH_PORT.
const { PORT = '8080', HEALTH_PORT = '8081' } = process.env;

async function isReady(port) {
  try {
    const signal = AbortSignal.timeout(4000);
    return (await fetch(`http://127.0.0.1:${port}/health/ready`, { signal })).ok;
  } catch {
    return false;
  }
}

const answers = await Promise.all([PORT, HEALTH_PORT].map(isReady));
process.exit(answers.includes(true) ? 0 : 1);
