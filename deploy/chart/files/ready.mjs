// The program of `helm test`, run as `node --eval … -- URL SECONDS`: ends with 0 once the gateway is ready, with 1 if it is
// not in time.
const [url, seconds] = process.argv.slice(1);
const deadline = Date.now() + Number(seconds) * 1000;

/** What keeps the gateway from being ready; undefined if nothing does. */
async function obstacle() {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5000) });
    const text = await response.text();
    return response.ok ? undefined : `HTTP ${response.status} ${text}`;
  } catch (error) {
    return String(error.cause ?? error);
  }
}

let found = await obstacle();
while (found !== undefined && Date.now() < deadline) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  found = await obstacle();
}
console.log(found === undefined ? `${url} is ready` : `${url} is not ready after ${seconds} s: ${found}`);
process.exitCode = found === undefined ? 0 : 1;
