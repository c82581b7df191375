"""Hot reload: file watcher, level worker, lighting worker and shader reload."""
