// A form cannot send DELETE.
document.addEventListener('click', async event => {
  const path = event.target.dataset.delete;
  if (!path) return;
  const answer = await fetch(path, {method: 'DELETE'});
  if (answer.ok || answer.status === 404) event.target.closest('article').remove();
});
